import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { RuleError } from '#rules/rule-error'
import type { Terminal } from './run.ts'

/**
 * Who runs the command: `OPERATOR`, else the system user, behind `sudo` the one who called it.
 * @throws {RuleError} `bad_input` in a container whose user has no name
 */
export function operatorName(env: NodeJS.ProcessEnv): string {
  const given = env.OPERATOR?.trim() || env.SUDO_USER
  if (given) return given
  try {
    return userInfo().username
  } catch {
    throw new RuleError('bad_input', 'Set OPERATOR to your name: this system user has none')
  }
}

async function askOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new RuleError('bad_input', `${question}\nConfirm with --yes: there is no terminal to ask`)
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim())
  } finally {
    prompt.close()
  }
}

/** The terminal of this process. Questions go to stderr, so that stdout holds only results. */
export function processTerminal(env: NodeJS.ProcessEnv): Terminal {
  return {
    operator: () => operatorName(env),
    print: (text) => console.log(text),
    confirm: askOnTerminal,
  }
}
