// training: to be written.

export const firstVisit = async () => {};
