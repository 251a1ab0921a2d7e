// open: to be written.


export const Open = () => null;
