// trees: to be written.

export {};
