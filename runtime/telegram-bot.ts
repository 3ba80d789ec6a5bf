import type { Api } from 'grammy'
import type { Config } from './config/config.ts'

type BotConfig = Pick<Config, 'telegramBotToken' | 'telegramApiRoot'>

/** Telegram cannot be asked: it does not answer, or the bot may not read the members of the chat. */
class TelegramError extends Error {}

const TIMEOUT_SECONDS = 5

/** How Telegram says that it knows nobody of this id in the chat. */
const NOT_THERE = /user not found|participant_id_invalid|member not found/i

/** @throws {TelegramError} without a token */
async function apiOf({ telegramBotToken, telegramApiRoot }: BotConfig): Promise<Api> {
  if (!telegramBotToken) throw new TelegramError('TELEGRAM_BOT_TOKEN is not set')
  // Loaded with the first use: most installations have no bot.
  const { Api: GrammyApi } = await import('grammy')
  return new GrammyApi(telegramBotToken, {
    timeoutSeconds: TIMEOUT_SECONDS,
    apiRoot: telegramApiRoot,
  })
}

/** Error texts of the HTTP client may hold the URL, and with it the token. @throws {TelegramError} */
async function ask<T>(config: BotConfig, work: (api: Api) => Promise<T>): Promise<T> {
  try {
    return await work(await apiOf(config))
  } catch (error) {
    if (error instanceof TelegramError) throw error
    const description = (error as { description?: unknown })?.description
    throw new TelegramError(typeof description === 'string' ? description : 'no answer')
  }
}

/** Call it outside of transactions. @throws {TelegramError} if Telegram cannot say */
export async function isChatMember(
  config: BotConfig,
  chat: string,
  accountId: number,
): Promise<boolean> {
  try {
    const member = await ask(config, (api) => api.getChatMember(chat, accountId))
    return member.status === 'restricted'
      ? member.is_member
      : !['left', 'kicked'].includes(member.status)
  } catch (error) {
    if (error instanceof TelegramError && NOT_THERE.test(error.message)) return false
    throw error
  }
}

/** A message in a private chat. */
export type BotMessage = {
  chatId: number
  from: { id: number; name: string; language: string }
  /** Text of a message, or the data of a button that was pressed. */
  text: string
  /** What has to be answered, for a pressed button. */
  pressed?: { queryId: string; messageId: number }
}

type Updates = Awaited<ReturnType<Api['getUpdates']>>
type From = NonNullable<NonNullable<Updates[number]['message']>['from']>

const person = ({ id, username, first_name, language_code = 'en' }: From) => ({
  id,
  name: (username ? `@${username}` : first_name).slice(0, 64),
  language: language_code,
})

function messageOf({ message, callback_query: query }: Updates[number]): BotMessage | undefined {
  if (message?.chat.type === 'private' && message.text && !message.from.is_bot) {
    return { chatId: message.chat.id, from: person(message.from), text: message.text }
  }
  if (query?.message?.chat.type !== 'private' || !query.data) return undefined
  const { chat, message_id: messageId } = query.message
  const pressed = { queryId: query.id, messageId }
  return { chatId: chat.id, from: person(query.from), text: query.data, pressed }
}

/** From the update `next` on. @throws {TelegramError} */
export async function readMessages(
  config: BotConfig,
  next: number,
): Promise<{ messages: BotMessage[]; next: number }> {
  const updates = await ask(config, (api) =>
    api.getUpdates({
      offset: next,
      limit: 100,
      timeout: 0,
      allowed_updates: ['message', 'callback_query'],
    }),
  )
  const last = updates.at(-1)?.update_id
  return {
    messages: updates.flatMap((update) => messageOf(update) ?? []),
    next: last === undefined ? next : last + 1,
  }
}

/** The answer to a pressed button replaces its message. @throws {TelegramError} */
export async function answerMessage(
  config: BotConfig,
  { chatId, pressed }: BotMessage,
  text: string,
  button?: { text: string; data: string },
): Promise<void> {
  const keyboard = button && [[{ text: button.text, callback_data: button.data }]]
  const markup = keyboard && { reply_markup: { inline_keyboard: keyboard } }
  await ask(config, async (api) => {
    if (!pressed) return void (await api.sendMessage(chatId, text, markup))
    await api.editMessageText(chatId, pressed.messageId, text, markup)
    // It only ends the wait of the button, and Telegram refuses one that is late.
    await api.answerCallbackQuery(pressed.queryId).catch(() => {})
  })
}
