import type { CommandState, StoredCommand } from '#client/commands/command-state.ts'

/**
 * Items in `localStorage`. Reading and writing never throw: a value that the browser refuses to store (blocked or
 * full) lives as long as the page. Keys and formats are those of installed clients.
 */
type Item = {
  /** Keys: `language`, `snapshots:7` (member 7), `command:7:k1`; an entry is in one JSON object by member id. */
  scope: 'device' | 'key per member' | 'keys per member' | 'entry per member'
  format: 'json' | 'text'
  /** Removed when the member signs out, not only when the account is deleted. */
  endsWithSignIn?: boolean
}

const ITEMS = {
  /** Commands without an outcome, by idempotency key; all tabs share them. */
  command: { scope: 'keys per member', format: 'json', endsWithSignIn: true },
  /** Commands whose sign-in ended before their outcome was known: key, name and time only. */
  endedCommands: { scope: 'key per member', format: 'json' },
  /** Last snapshots, for a start without a network. */
  snapshots: { scope: 'key per member', format: 'json', endsWithSignIn: true },
  /** Completion times by task id. */
  completedTasks: { scope: 'entry per member', format: 'json' },
  /** Ids of the tasks whose Visit was pressed. */
  visitedTasks: { scope: 'entry per member', format: 'json' },
  /** Id of the last credit that was announced. */
  shownReward: { scope: 'key per member', format: 'text', endsWithSignIn: true },
  /** How far the member has followed a session. */
  seenCredits: { scope: 'key per member', format: 'json', endsWithSignIn: true },
  /** What the member did of the first steps that no server knows: read, dismissed. */
  firstSteps: { scope: 'key per member', format: 'json' },
  /** The session of the first Start, after which notifications are offered; `answered` after that. */
  pushOffer: { scope: 'key per member', format: 'json' },
  /** How far the inbox was shown here, and whether the server knows. */
  inboxRead: { scope: 'key per member', format: 'json', endsWithSignIn: true },
  /** When WebSockets were last found to be blocked, real ms. */
  socketsBlockedAt: { scope: 'device', format: 'json' },
  /** Id of the member whose reminders this browser's push subscription shows. */
  pushMember: { scope: 'device', format: 'json' },
  /** That subscription as the server lists it: id of the device and endpoint. */
  pushDevice: { scope: 'device', format: 'text' },
  /** The subscription, with its language, that the server has of this sign-in. */
  pushKept: { scope: 'key per member', format: 'text', endsWithSignIn: true },
  /** The answer to the offer to install the app: it is made once. */
  installOffer: { scope: 'device', format: 'text' },
  language: { scope: 'device', format: 'text' },
} as const satisfies Record<string, Item>

type Items = typeof ITEMS
type DeviceItem = {
  [K in keyof Items]: Items[K]['scope'] extends 'device' ? K : never
}[keyof Items]
type MemberItem = Exclude<keyof Items, DeviceItem>

const itemOf = (name: keyof Items): Item => ITEMS[name]
const MEMBER_ITEMS = (Object.keys(ITEMS) as (keyof Items)[]).filter(
  (name): name is MemberItem => itemOf(name).scope !== 'device',
)

/** Texts that the browser refused to store, by key. */
const unstored = new Map<string, string>()

function readText(key: string): string | undefined {
  const text = unstored.get(key)
  if (text !== undefined) return text
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

function writeText(key: string, text: string | undefined): void {
  unstored.delete(key)
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    if (text !== undefined) unstored.set(key, text)
  }
}

function keysWith(start: string): string[] {
  let stored: string[] = []
  try {
    stored = Object.keys(localStorage)
  } catch {
    // The values of a blocked storage are all in memory.
  }
  return [...new Set([...unstored.keys(), ...stored])].filter((key) => key.startsWith(start))
}

function readKey({ format }: Item, key: string): unknown {
  const text = readText(key)
  if (text === undefined || format === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeKey({ format }: Item, key: string, value: unknown): void {
  const text = format === 'text' || value === undefined ? value : JSON.stringify(value)
  writeText(key, text === undefined ? undefined : String(text))
}

const keyOf = (name: MemberItem, memberId: number, id: string | undefined) =>
  id === undefined ? `${name}:${memberId}` : `${name}:${memberId}:${id}`

function entriesOf(item: Item, key: string): Record<string, unknown> {
  const entries = readKey(item, key)
  return isRecord(entries) ? entries : {}
}

/** Its sign-in ended before its outcome was known. The input is not kept: the device may have another user now. */
export type EndedCommand = Pick<StoredCommand, 'key' | 'name' | 'issuedAt'> & {
  /** The server has spent its key before a request used it. */
  notDone?: true
}

const isEnded = (value: unknown): value is EndedCommand =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  typeof value.name === 'string' &&
  typeof value.issuedAt === 'number'

/** The member expects these to be done; the others were undone or rejected, or their outcome is known. */
const EXPECTED_STATES: readonly unknown[] = [
  'pending',
  'retrying',
  'waiting',
] satisfies CommandState[]

const isExpected = (value: unknown): value is EndedCommand =>
  isEnded(value) && 'state' in value && EXPECTED_STATES.includes(value.state)

/** Values are `unknown`: the user or another version of the client may have written them. */
export const storage = {
  read(name: DeviceItem): unknown {
    return readKey(itemOf(name), name)
  },

  /** Undefined removes the value. */
  write(name: DeviceItem, value: unknown): void {
    writeKey(itemOf(name), name, value)
  },

  /** `id` for items with several values per member. */
  readFor(memberId: number, name: MemberItem, id?: string): unknown {
    const item = itemOf(name)
    if (item.scope === 'entry per member') return entriesOf(item, name)[memberId]
    return readKey(item, keyOf(name, memberId, id))
  },

  listFor(memberId: number, name: MemberItem): unknown[] {
    return keysWith(`${name}:${memberId}:`).map((key) => readKey(itemOf(name), key))
  },

  writeFor(memberId: number, name: MemberItem, value: unknown, id?: string): void {
    const item = itemOf(name)
    if (item.scope === 'entry per member') {
      const { [memberId]: _replaced, ...others } = entriesOf(item, name)
      const entries = value === undefined ? others : { ...others, [memberId]: value }
      writeKey(item, name, Object.keys(entries).length > 0 ? entries : undefined)
    } else {
      writeKey(item, keyOf(name, memberId, id), value)
    }
  },

  forgetMember(memberId: number): void {
    for (const name of MEMBER_ITEMS) {
      storage.writeFor(memberId, name, undefined)
      for (const key of keysWith(`${name}:${memberId}:`)) writeText(key, undefined)
    }
  },

  endedCommands(memberId: number): EndedCommand[] {
    const kept = storage.readFor(memberId, 'endedCommands')
    return Array.isArray(kept) ? kept.filter(isEnded) : []
  },

  /** Keeps which commands of a sign-in that has ended the member expects to be done; all tabs may call it. */
  keepEnded(memberId: number, commands: unknown[]): void {
    const kept = storage.endedCommands(memberId)
    const added = commands
      .filter(isExpected)
      .filter(({ key }) => !kept.some((one) => one.key === key))
      .map(({ key, name, issuedAt }) => ({ key, name, issuedAt }))
      .sort((a, b) => a.issuedAt - b.issuedAt)
    if (added.length > 0) storage.writeFor(memberId, 'endedCommands', [...kept, ...added])
  },

  /** Removes what ends with the sign-in, of all other members; of their commands `endedCommands` are kept. */
  endSignIns(signedIn?: number): void {
    for (const memberId of new Set(keysWith('command:').map((key) => Number(key.split(':')[1])))) {
      if (memberId !== signedIn) storage.keepEnded(memberId, storage.listFor(memberId, 'command'))
    }
    const starts = MEMBER_ITEMS.filter((name) => itemOf(name).endsWithSignIn).map(
      (name) => `${name}:`,
    )
    for (const key of starts.flatMap(keysWith)) {
      if (key.split(':')[1] !== String(signedIn)) writeText(key, undefined)
    }
  },

  onOtherTab(name: keyof Items, listener: () => void): () => void {
    const onStorage = ({ key }: StorageEvent) => {
      // The key is null if everything was removed.
      if (!key || key === name || key.startsWith(`${name}:`)) listener()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  },
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
