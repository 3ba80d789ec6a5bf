/** An error that an operator can act on. Its message says how, so it is printed without a stack. */
export class OperatorError extends Error {}
