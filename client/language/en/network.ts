export const network = {} as const
