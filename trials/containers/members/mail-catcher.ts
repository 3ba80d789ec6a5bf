import type { Mailbox } from './mailbox.ts'

type Found = { messages: { ID: string; To: { Address: string }[] }[] }

/** The mail catcher of the profile `mail`, read through the API of its pages (Mailpit). */
export function mailCatcher(port: number): Mailbox {
  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    if (!response.ok) throw new Error(`the mail catcher answered ${response.status}`)
    return (await response.json()) as T
  }
  return {
    async textTo(email) {
      const { messages } = await get<Found>('messages')
      const found = messages.find(({ To }) => To.some(({ Address }) => Address === email))
      return found && (await get<{ Text: string }>(`message/${found.ID}`)).Text
    },
    close: async () => {},
  }
}
