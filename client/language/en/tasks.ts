export const tasks = {} as const
