import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { listen } from '#gateway/http/http-server'

/** Somebody in Telegram. */
export type Person = { id: number; username?: string; first_name: string; language_code?: string }

/** What the bot has sent to a person; `button` is the data of its button. */
type Sent = { chatId: number; text: string; button: string | undefined }

/** A server that speaks the part of the Telegram Bot API that the product uses. */
export type BotApi = {
  /** Settings of a product whose bot it serves. */
  env: Record<string, string>
  sent: Sent[]
  /** Calls of each method. */
  calls: Record<string, number>
  /** How each call is answered: as usual, with this error, or not at all. */
  fault: { status: number; description: string } | 'silent' | undefined
  /** Whether presses of buttons were too long ago to be answered. */
  isPressOld: boolean
  /** Calls are answered when it resolves. */
  hold: Promise<void> | undefined
  person(username?: string, language?: string): Person
  /** Makes a person a member of a chat, with this status. */
  join(chat: string, person: Person, status?: string): void
  /** The person writes a text to the bot. */
  write(person: Person, text: string): void
  /** The person presses the button of the last message to them. */
  press(person: Person): void
  close(): Promise<void>
}

const TOKEN = '4711:abcdefghijklmnopqrstuvwxyz_ABCDEFGH'

export async function botApi(): Promise<BotApi> {
  const members = new Map<string, string>()
  const updates: Record<string, unknown>[] = []
  let nextUpdate = 1
  const push = (update: object) => updates.push({ update_id: nextUpdate++, ...update })
  const chatOf = ({ id, first_name }: Person) => ({ id, type: 'private', first_name })

  type Body = Record<string, string | number> & {
    reply_markup?: { inline_keyboard: { callback_data: string }[][] }
  }
  const send = ({ chat_id, text, reply_markup }: Body) => {
    const button = reply_markup?.inline_keyboard[0]?.[0]?.callback_data
    api.sent.push({ chatId: Number(chat_id), text: String(text), button })
    return { message_id: api.sent.length, date: 0, chat: { id: chat_id, type: 'private' }, text }
  }
  const methods: Record<string, (body: Body) => unknown> = {
    getChatMember({ chat_id, user_id }) {
      const status = members.get(`${chat_id} ${user_id}`)
      if (status === undefined) throw new Error('Bad Request: user not found')
      return { status, is_member: status === 'restricted', user: { id: user_id } }
    },
    getUpdates({ offset = 0 }) {
      while (updates.length > 0 && Number(updates[0]?.update_id) < Number(offset)) updates.shift()
      return updates
    },
    sendMessage: send,
    editMessageText: send,
    answerCallbackQuery() {
      if (!api.isPressOld) return true
      throw new Error('Bad Request: query is too old and response timeout expired')
    },
  }

  const server = createServer(async (request, response) => {
    const [, method = ''] = request.url?.split(`/bot${TOKEN}/`) ?? []
    const body = (await json(request)) as Body
    api.calls[method] = (api.calls[method] ?? 0) + 1
    if (api.fault === 'silent') return
    await api.hold
    const answer = (status: number, content: object) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(content))
    const refuse = (status: number, description: string) =>
      answer(status, { ok: false, error_code: status, description })
    if (api.fault) return refuse(api.fault.status, api.fault.description)
    try {
      answer(200, { ok: true, result: methods[method]?.(body) })
    } catch (error) {
      refuse(400, (error as Error).message)
    }
  })
  const port = await listen(server, 0, '127.0.0.1')

  const api: BotApi = {
    env: {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_BOT_NAME: 'tesp_test_bot',
      TELEGRAM_API_ROOT: `http://127.0.0.1:${port}`,
    },
    sent: [],
    calls: {},
    fault: undefined,
    isPressOld: false,
    hold: undefined,
    person: (username, language_code) => ({
      id: randomInt(1, 2 ** 40),
      first_name: 'Somebody',
      ...(username && { username }),
      ...(language_code && { language_code }),
    }),
    join: (chat, { id }, status = 'member') => void members.set(`${chat} ${id}`, status),
    write(from, text) {
      push({
        message: {
          message_id: 1,
          date: 0,
          chat: chatOf(from),
          from: { ...from, is_bot: false },
          text,
        },
      })
    },
    press(from) {
      const last = api.sent.findLast(({ chatId, button }) => chatId === from.id && button)
      const message = { message_id: 1, date: 0, chat: chatOf(from) }
      push({ callback_query: { id: '1', from, chat_instance: '1', data: last?.button, message } })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return api
}
