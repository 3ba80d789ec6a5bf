import type { OpsCall } from './command.ts'

/** What a check of `ops doctor` found. `wrong`: members notice, or will. `check`: fine for some deployments. */
export type Finding = { result: 'ok' | 'check' | 'wrong'; says: string; do?: string }

export type Check = (call: OpsCall) => Promise<Finding>

export const ok = (says: string): Finding => ({ result: 'ok', says })
export const wrong = (says: string, todo: string): Finding => ({ result: 'wrong', says, do: todo })
export const check = (says: string, todo: string): Finding => ({ result: 'check', says, do: todo })

export const ANSWER_MS = 10_000
