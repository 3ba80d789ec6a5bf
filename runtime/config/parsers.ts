import { isIP } from 'node:net'
import { parseRedisUrl, RedisUrlError } from '#runtime/redis/topology'
import { DATA_KEY_BYTES } from '#runtime/secrets/encryption'
import { publicKeyOf } from '#runtime/secrets/vapid-keys'

type ParseContext = {
  production: boolean
  /** Reports what is wrong, as the rest of a sentence that begins with the setting's name. */
  problem(text: string): void
}

/** Gets trimmed text, empty for an unset setting without a default. After a problem the value is not used. */
export type Parser<T> = (text: string, context: ParseContext) => T

export const text: Parser<string> = (value) => value

const items = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

const matching =
  (form: RegExp, what: string): Parser<string> =>
  (value, { problem }) => {
    if (!form.test(value)) problem(`is not ${what}`)
    return value
  }

export const botToken = matching(/^\d{1,20}:[\w-]{30,64}$/, 'a token from @BotFather')
export const botName = matching(/^[A-Za-z]\w{4,31}$/, 'the name of a bot without @')

export function wholeNumber(min: number, max: number): Parser<number> {
  return (value, { problem }) => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < min || number > max) {
      problem(`is "${value}": set a whole number from ${min} to ${max}`)
    }
    return number
  }
}

export function oneOf(words: readonly string[]): Parser<string> {
  return (value, { problem }) => {
    if (!words.includes(value)) problem(`is "${value}": set one of ${words.join(', ')}`)
    return value
  }
}

export const onOff: Parser<boolean> = (value, context) =>
  oneOf(['on', 'off'])(value, context) === 'on'

/** Protocols are written with their colon. The value may hold a password, so no message repeats it. */
export function url(...protocols: string[]): Parser<string> {
  return (value, { problem }) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      problem(`is not a ${protocols.map((one) => `${one}//`).join(' or ')} URL`)
    }
    return value
  }
}

/** The value may hold a password, so no message repeats it. */
export const redisUrl: Parser<string> = (value, { problem }) => {
  try {
    parseRedisUrl(value)
  } catch (error) {
    if (!(error instanceof RedisUrlError)) throw error
    problem(error.message)
  }
  return value
}

/** Keys of `tesp:staging` would be among those of `tesp`. Braces would be a hash tag: one slot for all keys. */
export const keyPrefix: Parser<string> = (value, { problem }) => {
  if (/[{}:]/.test(value)) problem('holds a brace or a colon: leave them out')
  return value
}

export function optional<T>(parse: Parser<T>): Parser<T | undefined> {
  return (value, context) => (value ? parse(value, context) : undefined)
}

const isSecureContext = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Production requires TLS, except on the same machine. */
export const origins: Parser<string[]> = (value, { production, problem }) => {
  const list = items(value)
  if (production && list.length === 0) problem('holds no origin: set one like https://tesp.example')
  for (const origin of list) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      problem(`"${origin}" is not an origin: write it like https://tesp.example`)
    } else if (production && !isSecureContext(new URL(origin))) {
      problem(`"${origin}" is not https: cookies of production are sent over TLS only`)
    }
  }
  return list
}

/** Production needs a sender that receives the answers of mail servers. */
export const sender: Parser<string> = (value, { production, problem }) => {
  if (!value.includes('@'))
    problem(`"${value}" has no address: write it like no-reply@tesp.example`)
  else if (production && /@localhost>?$/.test(value)) {
    problem(`"${value}" is not yours: mail servers refuse localhost; set no-reply@<your domain>`)
  }
  return value
}

export const domain: Parser<string> = (value, { problem }) => {
  if (!/^[a-z\d_-]+(\.[a-z\d_-]+)*$/i.test(value)) {
    problem(`is "${value}": write it like tesp.example`)
  }
  return value.toLowerCase()
}

export const signingKeys: Parser<string[]> = (value, { problem }) => {
  const keys = items(value)
  if (keys.length === 0) problem('holds no key: set one or more random texts of 32 characters')
  if (keys.some((key) => key.length < 32)) {
    problem('holds a key of less than 32 characters: set longer ones')
  }
  return keys
}

/** Returns the keys as one key ring. */
export const encryptionKeys: Parser<Buffer> = (value, { problem }) => {
  const keys = items(value).map((item) => Buffer.from(item, 'base64'))
  if (keys.length === 0 || keys.some(({ length }) => length !== DATA_KEY_BYTES)) {
    problem('is not 32 bytes in base64: make one with `openssl rand -base64 32`')
  }
  return Buffer.concat(keys)
}

/** The seed of an Ed25519 key. */
export const signingSeed: Parser<Buffer> = (value, { problem }) => {
  const seed = Buffer.from(value, 'base64')
  if (seed.length !== 32) {
    problem('is not 32 bytes in base64: make one with `openssl rand -base64 32`')
  }
  return seed
}

export const vapidKey: Parser<string> = (value, { problem }) => {
  const bytes = Buffer.from(value, 'base64url')
  try {
    if (!/^[\w-]+$/.test(value) || bytes.length !== 32) throw new Error()
    publicKeyOf(value)
  } catch {
    problem('is not a private key of 32 bytes in base64url')
  }
  // Unused bits of the last character are zero, so that equal bytes are equal texts.
  return bytes.toString('base64url')
}

export const contact: Parser<string> = (value, { problem }) => {
  const isContact = URL.canParse(value) && /^(https|mailto):/.test(value)
  if (!isContact) problem('is not a mailto: or https:// URL')
  return value
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (most < 0 || rest.length > 0) return false
  // A network of 0 bits would trust every client, and proxy-addr rejects it.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most)
}

export const networks: Parser<string[]> = (value, { problem }) => {
  const list = items(value)
  for (const network of list) {
    if (!isNetwork(network)) problem(`"${network}" is not an IP address or network (10.0.0.0/8)`)
  }
  return list
}

export const clockSpeed: Parser<number | undefined> = (value, context) => {
  const speed = optional(wholeNumber(1, 3600))(value, context)
  if (context.production && Number.isInteger(speed) && speed !== 1) {
    context.problem('is for demonstrations: leave it out in production')
  }
  return speed
}
