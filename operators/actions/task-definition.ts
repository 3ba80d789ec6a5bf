import { TASK_CODE_MAX } from '#rules/constants'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { fromUnits, MONEY_PLACES, type Money, toUnits } from '#rules/money/money'
import type { Task, TaskTexts } from '#rules/snapshots'
import { refuse } from './action-log.ts'

/** Times are ISO 8601 texts with a zone. */
export type TaskDefinition = {
  id: string
  texts: Record<Language, TaskTexts>
  /** TESP. */
  reward: Money
  platform: Task['platform']
  action: Task['action']
  /** Null: the settings have the link. */
  link: string | null
  /** Claims of a member a UTC day; null: one claim of a member. */
  dailyLimit: number | null
  starts: string | null
  ends: string | null
  /** Claims of all members; null without a limit. */
  cap: number | null
  check: Task['check']
  code: string | null
  /** The channel or group of a task with the check `telegram`: `@name`, or its number. */
  chat: string | null
}

export const PLATFORMS: readonly Task['platform'][] = ['twitter', 'telegram', 'youtube', 'website']
export const ACTIONS: readonly Task['action'][] = [
  'follow',
  'like',
  'share',
  'watch',
  'visit',
  'subscribe',
]
const CHECKS: readonly unknown[] = ['trust', 'code', 'telegram'] satisfies Task['check'][]

const LENGTHS = { title: 80, description: 300 }
/** Digits of a reward before the decimal point: `numeric(20, 8)`. */
const REWARD_DIGITS = 12
const INTEGER_MAX = 2 ** 31 - 1

type Input = Record<string, unknown>

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function oneOf(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) refuse(`The ${name} must be one of ${allowed.join(', ')}`)
}

function checkText(name: keyof typeof LENGTHS, language: Language, value: unknown): void {
  const what = `The ${name} in ${language}`
  if (typeof value !== 'string' || value.trim() === '') refuse(`${what} is missing`)
  if (value.length > LENGTHS[name]) refuse(`${what} may have at most ${LENGTHS[name]} characters`)
  // Screens show texts as they are; the ledger, its statements and mails repeat the title.
  if (/[<>]|javascript:/i.test(value)) refuse(`${what} must not contain markup or script`)
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(value)) {
    refuse(`${what} must be one line without invisible characters`)
  }
}

function checkTexts(texts: unknown): void {
  if (!isObject(texts)) refuse('The texts must hold a title and a description for each language')
  const unknown = Object.keys(texts).find((name) => !LANGUAGES.some((own) => own === name))
  if (unknown !== undefined)
    refuse(`The texts are in ${LANGUAGES.join(' and ')}, not in ${unknown}`)
  for (const language of LANGUAGES) {
    const own = texts[language]
    if (!isObject(own)) refuse(`The texts in ${language} are missing`)
    for (const name of ['title', 'description'] as const) checkText(name, language, own[name])
  }
}

function checkReward(reward: unknown): void {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(reward))
  if (!parts) refuse('The reward must be a decimal such as 0.5')
  const [, sign, whole = '', fraction = ''] = parts
  if (sign || /^[0.]+$/.test(whole + fraction)) refuse('The reward must be more than 0')
  if (fraction.length > MONEY_PLACES) refuse(`The reward may have at most ${MONEY_PLACES} decimals`)
  if (whole.replace(/^0+/, '').length > REWARD_DIGITS) {
    refuse(`The reward may have at most ${REWARD_DIGITS} digits before the decimal point`)
  }
}

function checkLink(link: unknown): void {
  if (link === null) return
  const isPage = typeof link === 'string' && link.length <= 2_000 && URL.canParse(link)
  if (!isPage || new URL(link).protocol !== 'https:') {
    refuse('The link must be a web address that begins with https://')
  }
}

function checkCount(name: string, value: unknown): void {
  if (value === null) return
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > INTEGER_MAX) {
    refuse(`The ${name} must be a whole number from 1 on, or null`)
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

function checkTime(name: string, value: unknown): void {
  if (value === null) return
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(Date.parse(value))) {
    refuse(`${name} must be a time such as 2026-12-31T18:00:00Z, or null`)
  }
}

function checkChat({ check, chat, dailyLimit }: Input): void {
  if (check !== 'telegram') {
    if (chat !== null) refuse('A chat needs the check telegram')
    return
  }
  if (typeof chat !== 'string' || !/^(@[A-Za-z]\w{3,31}|-\d{1,20})$/.test(chat)) {
    refuse('The check telegram needs a chat such as "@channel", or "-100…" for a private one')
  }
  if (dailyLimit !== null) refuse('A membership is paid once: leave dailyLimit out')
}

function checkCode({ check, code }: Input): void {
  if (check !== 'code') {
    if (code !== null) refuse('A code word needs the check code')
    return
  }
  if (typeof code !== 'string' || code.normalize('NFKC').trim() === '') {
    refuse('The check code needs a code word')
  }
  if (code.length > TASK_CODE_MAX) {
    refuse(`The code word may have at most ${TASK_CODE_MAX} characters`)
  }
}

const ABSENT = {
  link: null,
  dailyLimit: null,
  starts: null,
  ends: null,
  cap: null,
  check: 'trust',
  code: null,
  chat: null,
}
const FIELDS = ['id', 'texts', 'reward', 'platform', 'action', ...Object.keys(ABSENT)]

/** Checks only the names of the fields. @throws {RuleError} `bad_input` */
export function parseFields(json: string): Input {
  let fields: unknown
  try {
    fields = JSON.parse(json)
  } catch {
    refuse('The definition is not JSON')
  }
  if (!isObject(fields)) refuse('The definition must be a JSON object')
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) refuse(`A task has no field ${unknown}; it has ${FIELDS.join(', ')}`)
  return fields
}

/** Formats a time and an amount as the database does, so that two can be compared. */
const isoOf = (time: unknown) => (time === null ? null : new Date(String(time)).toISOString())
const amountOf = (reward: unknown) => fromUnits(toUnits(String(reward))).replace(/\.?0+$/, '')

/** @throws {RuleError} `bad_input` with one sentence about the first wrong field */
export function definitionOf(fields: Input): TaskDefinition {
  const task: Input = { ...ABSENT, ...fields }
  if (typeof task.id !== 'string' || !/^[A-Za-z0-9_]{1,64}$/.test(task.id)) {
    refuse('The id must have 1 to 64 letters a to z, digits or underscores')
  }
  checkTexts(task.texts)
  checkReward(task.reward)
  oneOf('platform', task.platform, PLATFORMS)
  oneOf('action', task.action, ACTIONS)
  checkLink(task.link)
  checkCount('dailyLimit', task.dailyLimit)
  checkCount('cap', task.cap)
  checkTime('The start', task.starts)
  checkTime('The end', task.ends)
  if (task.starts !== null && task.ends !== null) {
    if (Date.parse(String(task.ends)) <= Date.parse(String(task.starts))) {
      refuse('The task must end after it starts')
    }
  }
  oneOf('check', task.check, CHECKS)
  checkCode(task)
  checkChat(task)
  const [reward, starts, ends] = [amountOf(task.reward), isoOf(task.starts), isoOf(task.ends)]
  return { ...task, reward, starts, ends } as TaskDefinition
}
