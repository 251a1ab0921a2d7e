// review: to be written.

export const reviewGame = () => {};
