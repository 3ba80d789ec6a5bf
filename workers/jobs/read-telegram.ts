import {
  extendLease,
  leaseUpdates,
  linkTelegram,
  ownerOfCode,
  releaseUpdates,
} from '#db/members/telegram'
import { inTransaction } from '#db/postgres/statements/transaction'
import { MINUTE_MS } from '#rules/constants'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#rules/members/languages'
import { answerMessage, type BotMessage, readMessages } from '#runtime/telegram-bot'
import type { Context, Handler } from '#workers/job'

const ENGLISH = {
  start: 'To link your Telegram account, open Tasks in the app and press Link Telegram.',
  /** The person in Telegram decides: a link may come from somebody else. */
  ask: (username: string) =>
    `Link this Telegram account to the TESP Network member ${username}?\n\nPress the button only if that is you. An account belongs to one member.`,
  yes: 'Yes, that is me',
  linked: 'Linked. Go back to the app and claim your reward.',
  taken: 'This Telegram account is linked to another member. That member can unlink it.',
  expired: 'This link does not work any more. Get a new one in the app.',
}

const TEXTS: Record<Language, typeof ENGLISH> = {
  en: ENGLISH,
  vi: {
    start:
      'Để liên kết tài khoản Telegram, hãy mở Nhiệm vụ trong ứng dụng và bấm Liên kết Telegram.',
    ask: (username) =>
      `Liên kết tài khoản Telegram này với thành viên TESP Network ${username}?\n\nChỉ bấm nút nếu đó là bạn. Mỗi tài khoản chỉ thuộc về một thành viên.`,
    yes: 'Đúng, đó là tôi',
    linked: 'Đã liên kết. Hãy quay lại ứng dụng để nhận thưởng.',
    taken: 'Tài khoản Telegram này đã liên kết với thành viên khác. Người đó có thể hủy liên kết.',
    expired: 'Liên kết này không còn dùng được. Hãy lấy liên kết mới trong ứng dụng.',
  },
}

const PRESSED = 'link:'

async function answer({ db, config, log }: Context, message: BotMessage): Promise<void> {
  const { text, from, pressed } = message
  const language = from.language.slice(0, 2)
  const texts = TEXTS[isLanguage(language) ? language : DEFAULT_LANGUAGE]
  if (pressed && text.startsWith(PRESSED)) {
    const code = text.slice(PRESSED.length)
    const result = await inTransaction(db, (tx) => linkTelegram(tx, config.dataKey, code, from))
    log.info({ result }, 'telegram account answered')
    return answerMessage(config, message, texts[result])
  }
  const [, code] = /^\/start ([\w-]{1,64})$/.exec(text) ?? []
  if (code === undefined) return answerMessage(config, message, texts.start)
  const owner = await ownerOfCode(db, config.dataKey, code)
  if (!owner) return answerMessage(config, message, texts.expired)
  const button = { text: texts.yes, data: `${PRESSED}${code}` }
  await answerMessage(config, message, texts.ask(owner.username), button)
}

/** A lease admits one reader, because Telegram refuses a second one. Reading messages twice changes nothing. */
export const readTelegram: Handler<'read-telegram'> = async (context) => {
  const { db, config, log } = context
  if (!config.telegramBotToken) return
  const leased = await leaseUpdates(db, MINUTE_MS)
  if (leased === undefined) return
  let following = leased
  try {
    const { messages, next } = await readMessages(config, leased)
    for (const message of messages) {
      // Telegram may take 10 s for an answer, so a hundred outlive the first lease.
      if (!(await extendLease(db, leased, MINUTE_MS))) return
      await answer(context, message).catch((err) =>
        log.warn({ err }, 'telegram message not answered; the member may send it again'),
      )
    }
    following = next
  } catch (err) {
    log.warn({ err }, 'telegram not read; next try in 2 s')
  }
  await releaseUpdates(db, leased, following)
}
