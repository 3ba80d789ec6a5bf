import {
  bytesOf,
  contact,
  encryptionKeys,
  offInProduction,
  optional,
  signingKeys,
  signingSeed,
} from './parsers.ts'
import type { SettingTable } from './setting.ts'

/** Keys, and what only tests may weaken. */
export const SECRET_SETTINGS = {
  SESSION_KEYS: {
    field: 'sessionKeys',
    parse: signingKeys,
    required: 'always',
    hint: 'set one or more random texts of 32 characters',
    development: 'generated once',
    doc: 'Keys of 32 characters or more that sign cookies, separated by commas; the first signs, the others only verify ([rotation](operations/secrets.md)).',
  },
  DATA_KEY: {
    field: 'dataKey',
    parse: encryptionKeys,
    required: 'always',
    hint: 'set 32 random bytes in base64',
    development: 'generated once',
    doc: 'Keys of 32 bytes in base64, separated by commas, that encrypt mails and identity documents at rest and hash codes; the first encrypts, the others only decrypt ([rotation](operations/secrets.md)).',
  },
  LEDGER_SEAL_KEY: {
    field: 'ledgerSealKey',
    parse: optional(signingSeed),
    development: 'generated once',
    doc: 'Seed of 32 bytes in base64 of the Ed25519 key that signs the seals of the ledger; only workers need it. When unset, seals are not signed.',
  },
  VAPID_PUBLIC_KEY: {
    field: 'vapidPublicKey',
    parse: optional(bytesOf(65)),
    doc: 'Public key of push messages (VAPID), made with its private key by `npx web-push generate-vapid-keys`; `npm start` generates a pair once. When unset, members can choose reminders by mail only. Another key ends the reminders on all devices.',
  },
  VAPID_PRIVATE_KEY: {
    field: 'vapidPrivateKey',
    parse: optional(bytesOf(32)),
    doc: 'Private key that signs push messages.',
  },
  VAPID_SUBJECT: {
    field: 'vapidSubject',
    parse: optional(contact),
    doc: 'Where push services reach the operator: a `mailto:` or `https:` URL. When unset, the first `https:` origin of `PUBLIC_ORIGIN`, else the address of `MAIL_FROM`.',
  },
  PUSH_PRIVATE_ENDPOINTS: {
    field: 'pushPrivateEndpoints',
    parse: offInProduction,
    default: 'off',
    doc: '`on` lets push messages go to http URLs and private addresses, for tests; production accepts only `off`.',
  },
  FAST_PASSWORDS: {
    field: 'fastPasswords',
    parse: offInProduction,
    default: 'off',
    doc: '`on` makes password hashes cheap and weak, for tests; production accepts only `off`.',
  },
} as const satisfies SettingTable
