import type { Draft } from '#operators/actions/announcements'
import { ACTIONS, PLATFORMS, type TaskDefinition } from '#operators/actions/task-definition'
import { ANNOUNCEMENT_CHARACTERS, ANNOUNCEMENT_KINDS } from '#rules/inbox'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { html, type Value } from './html.ts'
import type { ActionName } from './roles.ts'

/** Empty if nothing was typed. */
export type Read = (name: string) => string

type ActionForm = {
  fields(read: Read): Value
  /** @throws {RuleError} `bad_input` */
  args(read: Read): string[]
  /** What members will see, besides the question; the command has accepted the arguments. */
  preview(args: string[]): Value
}

const NAMES: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' }

const input = (read: Read, name: string, label: string, hint?: string): Value =>
  html`<label><span>${label}</span><input name="${name}" value="${read(name)}" autocomplete="off">${hint && html`<span class="hint">${hint}</span>`}</label>`

const moment = (read: Read, name: string, label: string, hint?: string): Value =>
  html`<label><span>${label} (UTC)</span><input type="datetime-local" step="1" name="${name}" value="${read(name)}">${hint && html`<span class="hint">${hint}</span>`}</label>`

const choice = (read: Read, name: string, label: string, options: readonly string[]): Value =>
  html`<label><span>${label}</span><select name="${name}">${options.map(
    (option) => html`<option${option === read(name) && html` selected`}>${option}</option>`,
  )}</select></label>`

const text = (read: Read, name: string, label: string, language: string, most: number): Value =>
  html`<label><span>${label}</span><textarea name="${name}" lang="${language}" maxlength="${most}" required>${read(name)}</textarea></label>`

/** A field of a picker as ISO 8601 in UTC. */
const isoOf = (value: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value) ? `${value}Z` : value
const pickerOf = (iso: string | null) => (iso ? iso.slice(0, 19) : '')

const hiddenId = (read: Read): Value =>
  html`<input type="hidden" name="arg0" value="${read('arg0')}">`

const announcementFields = (read: Read): Value => [
  choice(read, 'kind', 'Kind', ANNOUNCEMENT_KINDS),
  moment(read, 'from', 'Begins', 'Only of maintenance; the others begin at once.'),
  moment(read, 'until', 'Ends'),
  LANGUAGES.map((language) =>
    text(read, language, NAMES[language], language, ANNOUNCEMENT_CHARACTERS),
  ),
]

const announcementJson = (read: Read): string => {
  const from = read('from')
  const texts = Object.fromEntries(LANGUAGES.map((language) => [language, read(language)]))
  const until = isoOf(read('until'))
  return JSON.stringify({ kind: read('kind'), ...(from && { from: isoOf(from) }), until, texts })
}

const inEach = (show: (language: Language) => Value): Value =>
  html`<div class="columns" role="group" aria-label="Preview">${LANGUAGES.map(
    (language) =>
      html`<figure class="preview"><figcaption>${NAMES[language]}</figcaption><div lang="${language}">${show(language)}</div></figure>`,
  )}</div>`

const TONES: Record<string, string> = { news: 'done', maintenance: 'ask', urgent: '' }

function announcementPreview(args: string[]): Value {
  const { kind, texts }: Draft = JSON.parse(args.at(-1) ?? '')
  return inEach((language) => html`<p class="notice ${TONES[kind]}">${texts[language]}</p>`)
}

export const announcementValues = ({
  kind,
  from,
  until,
  texts,
}: Draft): Record<string, string> => ({
  kind,
  ...(kind === 'maintenance' && { from: pickerOf(from ?? null) }),
  until: pickerOf(until),
  ...texts,
})

const taskFields = (read: Read): Value => [
  LANGUAGES.map((language) => [
    html`<label><span>Title, ${NAMES[language]}</span><input name="title-${language}" lang="${language}" value="${read(`title-${language}`)}" maxlength="80" required autocomplete="off"></label>`,
    text(read, `description-${language}`, `Description, ${NAMES[language]}`, language, 300),
  ]),
  input(read, 'reward', 'Reward, TESP'),
  choice(read, 'platform', 'Platform', PLATFORMS),
  choice(read, 'action', 'Action', ACTIONS),
  input(read, 'link', 'Link', 'Begins with https://.'),
  input(read, 'dailyLimit', 'Claims of a member a day', 'Empty: one claim for good.'),
  input(read, 'cap', 'Claims of all members', 'Empty: no limit. Only a draft gets one.'),
  moment(read, 'starts', 'Starts', 'Empty: when it is published.'),
  moment(read, 'ends', 'Ends', 'Empty: when an operator ends it.'),
  input(read, 'code', 'Code word', 'Empty: no word is asked for.'),
  input(read, 'chat', 'Channel or group in Telegram', 'Such as @channel: a membership is checked.'),
]

/** A number as JSON has it; another text stays, and the command says what is wrong with it. */
const numberOf = (value: string) =>
  value === '' ? null : /^\d+$/.test(value) ? Number(value) : value

function taskJson(read: Read, id?: string): string {
  const texts = Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      { title: read(`title-${language}`), description: read(`description-${language}`) },
    ]),
  )
  const orNull = (value: string) => value || null
  return JSON.stringify({
    ...(id !== undefined && { id }),
    texts,
    reward: read('reward'),
    platform: read('platform'),
    action: read('action'),
    link: orNull(read('link')),
    dailyLimit: numberOf(read('dailyLimit')),
    cap: numberOf(read('cap')),
    starts: orNull(isoOf(read('starts'))),
    ends: orNull(isoOf(read('ends'))),
    check: read('chat') ? 'telegram' : read('code') ? 'code' : 'trust',
    code: orNull(read('code')),
    chat: orNull(read('chat')),
  })
}

export const taskPreview = ({ texts, reward }: Pick<TaskDefinition, 'texts' | 'reward'>): Value =>
  inEach(
    (language) =>
      html`<p><b>${texts[language].title}</b> <span class="tag good">+${reward} TESP</span></p><p>${texts[language].description}</p>`,
  )

/** Omits the code word, because browsers keep addresses in their history. */
export function taskValues(task: TaskDefinition): Record<string, string> {
  const { texts, reward, platform, action, link, dailyLimit, cap, starts, ends, chat } = task
  const titles = LANGUAGES.flatMap((language) => [
    [`title-${language}`, texts[language].title],
    [`description-${language}`, texts[language].description],
  ])
  return {
    ...Object.fromEntries(titles),
    reward,
    platform,
    action,
    link: link ?? '',
    dailyLimit: String(dailyLimit ?? ''),
    cap: String(cap ?? ''),
    starts: pickerOf(starts),
    ends: pickerOf(ends),
    chat: chat ?? '',
  }
}

const previewOfTask = (args: string[]): Value => taskPreview(JSON.parse(args.at(-1) ?? ''))

/** Forms for commands whose last argument is JSON; all others get the fields that the command names. */
export const ACTION_FORMS: Partial<Record<ActionName, ActionForm>> = {
  'announcements add': {
    fields: announcementFields,
    args: (read) => [announcementJson(read)],
    preview: announcementPreview,
  },
  'announcements edit': {
    fields: (read) => [hiddenId(read), announcementFields(read)],
    args: (read) => [read('arg0'), announcementJson(read)],
    preview: announcementPreview,
  },
  'tasks add': {
    fields: (read) => [
      input(read, 'id', 'Id', 'Letters, digits, underscores; it never changes.'),
      taskFields(read),
    ],
    args: (read) => [taskJson(read, read('id'))],
    preview: previewOfTask,
  },
  'tasks edit': {
    fields: (read) => [hiddenId(read), taskFields(read)],
    args: (read) => [read('arg0'), taskJson(read)],
    preview: previewOfTask,
  },
}
