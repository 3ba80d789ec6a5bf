import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { PasskeyCreation, PasskeyRequest } from '#contract/passkeys'

/** Bits of the flags of authenticator data (WebAuthn, section 6.1). */
const FLAGS = { present: 0x01, verified: 0x04, backedUp: 0x18, hasCredential: 0x40 }

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** Head of a CBOR item: its major type and its length or value. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  if (value < 65_536) return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
  const long = Buffer.from([(major << 5) | 26, 0, 0, 0, 0])
  long.writeUInt32BE(value, 1)
  return long
}

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

/** Encodes what credentials consist of as CBOR. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const items = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)])
  return Buffer.concat([head(5, value.size), ...items])
}

/** An ES256 public key as a COSE key, with its parts replaced by those in `changed`. */
function coseKey(publicKey: KeyObject, changed: [Cbor, Cbor][] = []): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => Buffer.from(text, 'base64url')
  const entries: [Cbor, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ]
  return cbor(new Map([...entries, ...changed]))
}

/** What a test changes about an answer of the authenticator. */
export type Ceremony = {
  origin: string
  challenge?: string
  isVerified?: boolean
  /** Parts of the public key, by their numbers. */
  keyParts?: [Cbor, Cbor][]
  /** What the maker says of the authenticator. */
  statement?: { format: string; values: Map<Cbor, Cbor> }
}

/** An authenticator with one ES256 passkey, in memory. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32)
  /** Signatures so far; stays 0 with `countsNothing`, as synchronised passkeys do. */
  counter = 0
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor(private readonly countsNothing = false) {}

  /** A copy with the same key and an own counter. */
  clone(): SoftwareAuthenticator {
    return Object.assign(new SoftwareAuthenticator(), this)
  }

  /** The body of POST /api/user/passkeys. */
  create(options: PasskeyCreation, name: string, ceremony: Ceremony) {
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      coseKey(this.pair.publicKey, ceremony.keyParts),
    ])
    const data = this.authenticatorData(options.rp.id, FLAGS.hasCredential, ceremony)
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', ceremony.statement?.format ?? 'none'],
      ['attStmt', ceremony.statement?.values ?? new Map()],
      ['authData', Buffer.concat([data, credential])],
    ])
    return {
      name,
      id: base64url(this.credentialId),
      clientDataJSON: this.clientData('webauthn.create', options.challenge, ceremony),
      attestationObject: base64url(cbor(attestation)),
      transports: ['internal'],
    }
  }

  /** The body of POST /api/passkey/login. */
  sign(options: PasskeyRequest, ceremony: Ceremony) {
    if (!this.countsNothing) this.counter += 1
    const data = this.authenticatorData(options.rpId, 0, ceremony)
    const clientDataJSON = this.clientData('webauthn.get', options.challenge, ceremony)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return {
      id: base64url(this.credentialId),
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: createSign('sha256').update(signed).sign(this.pair.privateKey, 'base64url'),
    }
  }

  private clientData(type: string, challenge: string, ceremony: Ceremony): string {
    const { origin, challenge: other = challenge } = ceremony
    return base64url(JSON.stringify({ type, challenge: other, origin, crossOrigin: false }))
  }

  private authenticatorData(rpId: string, flags: number, { isVerified = true }: Ceremony): Buffer {
    const synchronised = this.countsNothing ? FLAGS.backedUp : 0
    const verified = isVerified ? FLAGS.verified : 0
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const all = FLAGS.present | verified | synchronised | flags
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter])
  }
}
