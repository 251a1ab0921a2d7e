// answers: to be written.

export {};
