// share: to be written.


export const Share = () => null;
