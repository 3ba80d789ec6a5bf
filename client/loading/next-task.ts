/** Resolves in a task of its own, so the browser can paint and handle input before what follows. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
