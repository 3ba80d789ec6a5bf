/** Prints a line about the progress of a migration that takes long. */
export type Report = (line: string) => void
