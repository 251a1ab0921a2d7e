// Studies: a first position, the turns, and the steps of the turn under way.

export const opening = {position: "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]", number: 2};

const written = study => [study.position, ...(study.turns || []), study.steps || ""].join();
export const same = (a, b) => written(a) === written(b);

// A study at the end of its last turn.
export const whole = study => ({...study, turns: study.turns || [], steps: ""});
