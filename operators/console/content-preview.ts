import type { Draft } from '#operators/actions/announcements'
import type { TaskDefinition } from '#operators/actions/task-definition'
import { LANGUAGES, type Language } from '#rules/members/languages'
import { html, type Value } from './html.ts'

/** What members will read, in each language, before it is published. */

const NAMES: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' }

const inEach = (show: (language: Language) => Value): Value =>
  html`<div class="columns" role="group" aria-label="Preview">${LANGUAGES.map(
    (language) =>
      html`<figure class="preview"><figcaption>${NAMES[language]}</figcaption><div lang="${language}">${show(language)}</div></figure>`,
  )}</div>`

export const taskPreview = ({ texts, reward }: Pick<TaskDefinition, 'texts' | 'reward'>): Value =>
  inEach(
    (language) =>
      html`<p><b>${texts[language].title}</b> <span class="tag good">+${reward} TESP</span></p><p>${texts[language].description}</p>`,
  )

const TONES: Record<string, string> = { news: 'done', maintenance: 'ask', urgent: '' }

export const announcementPreview = ({ kind, texts }: Pick<Draft, 'kind' | 'texts'>): Value =>
  inEach((language) => html`<p class="notice ${TONES[kind]}">${texts[language]}</p>`)
