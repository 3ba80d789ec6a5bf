import type { Draft } from '#operators/actions/announcements'
import { ACTIONS, PLATFORMS, type TaskDefinition } from '#operators/actions/task-definition'
import { ANNOUNCEMENT_CHARACTERS, ANNOUNCEMENT_KINDS } from '#rules/inbox'
import { LANGUAGES, type Language, LANGUAGE_NAMES as NAMES } from '#rules/members/languages'
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

/** A field of the JSON that a command takes: a text, one of several, a number or a time in UTC. */
type Field = [
  name: string,
  label: string,
  as?: 'text' | 'number' | 'time' | readonly string[],
  hint?: string,
]

const choice = (name: string, chosen: string, options: readonly string[]): Value =>
  html`<select name="${name}">${options.map(
    (option) => html`<option${option === chosen && html` selected`}>${option}</option>`,
  )}</select>`

const fieldsOf = (fields: Field[], read: Read): Value =>
  fields.map(([name, label, as, hint]) => {
    const value = read(name)
    const typed =
      as === 'time'
        ? html`<input type="datetime-local" step="1" name="${name}" value="${value}">`
        : html`<input name="${name}" value="${value}" autocomplete="off">`
    return html`<label><span>${label}${as === 'time' && ' (UTC)'}</span>${typeof as === 'object' ? choice(name, value, as) : typed}${hint && html`<span class="hint">${hint}</span>`}</label>`
  })

/** A text that is no number or no time stays, and the command says what is wrong with it. */
function jsonOf(text: string, as: Field[2]): string | number | null {
  if (text === '') return null
  if (as === 'number' && /^\d+$/.test(text)) return Number(text)
  const isPicked = as === 'time' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)
  return isPicked ? `${text}Z` : text
}

const typedIn = (fields: Field[], read: Read) =>
  Object.fromEntries(fields.map(([name, _, as]) => [name, jsonOf(read(name), as)]))

/** What a link puts into the fields. */
const valuesOf = (fields: Field[], stored: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    fields.map(([name, _, as]) => {
      const text = String(stored[name] ?? '')
      return [name, as === 'time' ? text.slice(0, 19) : text]
    }),
  )

const text = (read: Read, name: string, label: string, language: string, most: number): Value =>
  html`<label><span>${label}</span><textarea name="${name}" lang="${language}" maxlength="${most}" required>${read(name)}</textarea></label>`

const inEach = (show: (language: Language) => Value): Value =>
  html`<div class="columns" role="group" aria-label="Preview">${LANGUAGES.map(
    (language) =>
      html`<figure class="preview"><figcaption>${NAMES[language]}</figcaption><div lang="${language}">${show(language)}</div></figure>`,
  )}</div>`

const TONES: Record<string, string> = { news: 'done', maintenance: 'ask', urgent: '' }

const ANNOUNCEMENT: Field[] = [
  ['kind', 'Kind', ANNOUNCEMENT_KINDS],
  ['from', 'Begins', 'time', 'Only of maintenance; the others begin at once.'],
  ['until', 'Ends', 'time'],
]

const announcementForm: ActionForm = {
  fields: (read) => [
    fieldsOf(ANNOUNCEMENT, read),
    LANGUAGES.map((language) =>
      text(read, language, NAMES[language], language, ANNOUNCEMENT_CHARACTERS),
    ),
  ],
  args: (read) => {
    const { from, ...others } = typedIn(ANNOUNCEMENT, read)
    const texts = Object.fromEntries(LANGUAGES.map((language) => [language, read(language)]))
    return [JSON.stringify({ ...others, ...(from !== null && { from }), texts })]
  },
  preview: (args) => {
    const { kind, texts }: Draft = JSON.parse(args.at(-1) ?? '')
    return inEach((language) => html`<p class="notice ${TONES[kind]}">${texts[language]}</p>`)
  },
}

export const announcementValues = (draft: Draft): Record<string, string> => ({
  ...valuesOf(
    ANNOUNCEMENT.filter(([name]) => name !== 'from' || draft.kind === 'maintenance'),
    draft,
  ),
  ...draft.texts,
})

const TASK: Field[] = [
  ['reward', 'Reward, TESP'],
  ['platform', 'Platform', PLATFORMS],
  ['action', 'Action', ACTIONS],
  ['link', 'Link', 'text', 'Begins with https://.'],
  ['dailyLimit', 'Claims of a member a day', 'number', 'Empty: one claim for good.'],
  ['cap', 'Claims of all members', 'number', 'Empty: no limit. Only a draft gets one.'],
  ['starts', 'Starts', 'time', 'Empty: when it is published.'],
  ['ends', 'Ends', 'time', 'Empty: when an operator ends it.'],
  ['code', 'Code word', 'text', 'Empty: no word is asked for.'],
  ['chat', 'Channel or group in Telegram', 'text', 'Such as @channel: a membership is checked.'],
]

/** `own` are fields before the texts. */
const taskForm = (own: Field[]): ActionForm => ({
  fields: (read) => [
    fieldsOf(own, read),
    LANGUAGES.map((language) => [
      html`<label><span>Title, ${NAMES[language]}</span><input name="title-${language}" lang="${language}" value="${read(`title-${language}`)}" maxlength="80" required autocomplete="off"></label>`,
      text(read, `description-${language}`, `Description, ${NAMES[language]}`, language, 300),
    ]),
    fieldsOf(TASK, read),
  ],
  args: (read) => {
    const texts = Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        { title: read(`title-${language}`), description: read(`description-${language}`) },
      ]),
    )
    const check = read('chat') ? 'telegram' : read('code') ? 'code' : 'trust'
    return [JSON.stringify({ ...typedIn([...own, ...TASK], read), check, texts })]
  },
  preview: (args) => taskPreview(JSON.parse(args.at(-1) ?? '')),
})

export const taskPreview = ({ texts, reward }: Pick<TaskDefinition, 'texts' | 'reward'>): Value =>
  inEach(
    (language) =>
      html`<p><b>${texts[language].title}</b> <span class="tag good">+${reward} TESP</span></p><p>${texts[language].description}</p>`,
  )

/** Omits the code word, because browsers keep addresses in their history. */
export function taskValues(task: TaskDefinition): Record<string, string> {
  const texts = LANGUAGES.flatMap((language) => [
    [`title-${language}`, task.texts[language].title],
    [`description-${language}`, task.texts[language].description],
  ])
  const fields = TASK.filter(([name]) => name !== 'code')
  return { ...Object.fromEntries(texts), ...valuesOf(fields, task) }
}

/** A link gives the first argument, which stays. */
const editing = ({ fields, args, preview }: ActionForm): ActionForm => ({
  fields: (read) => [html`<input type="hidden" name="arg0" value="${read('arg0')}">`, fields(read)],
  args: (read) => [read('arg0'), ...args(read)],
  preview,
})

const TASK_ID: Field = ['id', 'Id', 'text', 'Letters, digits, underscores; it never changes.']

/** Forms for commands whose last argument is JSON; all others get the fields that the command names. */
export const ACTION_FORMS: Partial<Record<ActionName, ActionForm>> = {
  'announcements add': announcementForm,
  'announcements edit': editing(announcementForm),
  'tasks add': taskForm([TASK_ID]),
  'tasks edit': editing(taskForm([])),
}
