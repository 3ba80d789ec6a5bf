export const mine = {} as const
