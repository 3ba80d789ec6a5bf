/**
 * All items that the client keeps in the browser, apart from cookies and the cached app shell.
 * Reading and writing never throw: a value that the browser refuses to store (storage blocked or
 * full) lives as long as the page. Keys and formats are those of installed clients.
 */
type Item = {
  area: 'localStorage' | 'sessionStorage'
  /** One value for the device, one key per member (`presses:7`), or one JSON object by member id. */
  scope: 'device' | 'key per member' | 'entry per member'
  format: 'json' | 'text'
  /** Removed when the member signs out, not only when the account is deleted. */
  endsWithSignIn?: boolean
}

const ITEMS = {
  /** Pending commands of this tab; they survive a reload. */
  presses: { area: 'sessionStorage', scope: 'key per member', format: 'json' },
  /** Completion times by task id. */
  completedTasks: { area: 'localStorage', scope: 'entry per member', format: 'json' },
  /** Id of the last credit that was announced. */
  shownReward: {
    area: 'localStorage',
    scope: 'key per member',
    format: 'text',
    endsWithSignIn: true,
  },
  /** Last snapshots, for a start without a network; their owner is in a cookie. */
  lastKnown: { area: 'localStorage', scope: 'device', format: 'json' },
  /** When WebSockets were last found to be blocked, real ms. */
  socketsBlockedAt: { area: 'localStorage', scope: 'device', format: 'json' },
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

/** Texts that the browser refused to store, by area and key. */
const unstored = new Map<string, string>()

function readText(area: Item['area'], key: string): string | undefined {
  const text = unstored.get(`${area} ${key}`)
  if (text !== undefined) return text
  try {
    return globalThis[area].getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

function writeText(area: Item['area'], key: string, text: string | undefined): void {
  unstored.delete(`${area} ${key}`)
  try {
    if (text === undefined) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, text)
  } catch {
    if (text !== undefined) unstored.set(`${area} ${key}`, text)
  }
}

function keysOf(area: Item['area']): string[] {
  const inMemory = [...unstored.keys()]
    .filter((id) => id.startsWith(`${area} `))
    .map((id) => id.slice(area.length + 1))
  try {
    return [...inMemory, ...Object.keys(globalThis[area])]
  } catch {
    return inMemory
  }
}

function readKey({ area, format }: Item, key: string): unknown {
  const text = readText(area, key)
  if (text === undefined || format === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeKey({ area, format }: Item, key: string, value: unknown): void {
  const text = format === 'text' || value === undefined ? value : JSON.stringify(value)
  writeText(area, key, text === undefined ? undefined : String(text))
}

function entriesOf(item: Item, key: string): Record<string, unknown> {
  const entries = readKey(item, key)
  return isRecord(entries) ? entries : {}
}

/** Values are `unknown`: the user or another version of the client may have written them. */
export const storage = {
  /** The device's value; undefined if there is none or it is not readable. */
  read(name: DeviceItem): unknown {
    return readKey(itemOf(name), name)
  },

  /** Writes the device's value; undefined removes it. */
  write(name: DeviceItem, value: unknown): void {
    writeKey(itemOf(name), name, value)
  },

  /** A member's value; undefined if there is none or it is not readable. */
  readFor(memberId: number, name: MemberItem): unknown {
    const item = itemOf(name)
    if (item.scope === 'entry per member') return entriesOf(item, name)[memberId]
    return readKey(item, `${name}:${memberId}`)
  },

  /** Writes a member's value; undefined removes it. */
  writeFor(memberId: number, name: MemberItem, value: unknown): void {
    const item = itemOf(name)
    if (item.scope === 'key per member') {
      writeKey(item, `${name}:${memberId}`, value)
    } else {
      const { [memberId]: _replaced, ...others } = entriesOf(item, name)
      const entries = value === undefined ? others : { ...others, [memberId]: value }
      writeKey(item, name, Object.keys(entries).length > 0 ? entries : undefined)
    }
  },

  /** Removes everything of a deleted account. */
  forgetMember(memberId: number): void {
    for (const name of MEMBER_ITEMS) storage.writeFor(memberId, name, undefined)
  },

  /** Removes what ends with the sign-in, of all members except the one who is signed in. */
  endSignIns(signedIn?: number): void {
    for (const name of MEMBER_ITEMS.filter((one) => itemOf(one).endsWithSignIn)) {
      const { area } = itemOf(name)
      const others = keysOf(area).filter(
        (key) => key.startsWith(`${name}:`) && key !== `${name}:${signedIn}`,
      )
      for (const key of others) writeText(area, key, undefined)
    }
  },

  /** Calls back when another tab has changed an item, until the returned function. */
  onOtherTab(listener: () => void): () => void {
    window.addEventListener('storage', listener)
    return () => window.removeEventListener('storage', listener)
  },
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
