// review: to be written.

export const chanceAt = () => null;
