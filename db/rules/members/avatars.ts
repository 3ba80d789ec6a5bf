/** The nine preset avatars (Specification §2, Account). Stored as `preset:orbit`. */
export const AVATAR_PRESETS = [
  'orbit',
  'prism',
  'wave',
  'summit',
  'bloom',
  'circuit',
  'comet',
  'lattice',
  'ember',
] as const

export type AvatarPreset = (typeof AVATAR_PRESETS)[number]

/** The preset of a stored avatar; undefined for an uploaded one. */
export function presetOf(avatar: string): AvatarPreset | undefined {
  return AVATAR_PRESETS.find((name) => avatar === `preset:${name}`)
}

/** Largest width and height of an uploaded image, pixels (Specification §9). */
export const AVATAR_PIXELS = 300
/** Largest uploaded image, bytes. */
export const AVATAR_BYTES = 100 * 1024
/** JPEG quality of the client's export. */
export const AVATAR_QUALITY = 0.7

/** The path of an uploaded avatar; `hash` is the SHA-256 of its bytes, in hexadecimal digits. */
export const avatarPath = (hash: string) => `/avatars/${hash}.jpg`

/** The hash in the path of an uploaded avatar; undefined for any other text. */
export function avatarHashIn(path: string): string | undefined {
  return /^\/avatars\/([0-9a-f]{64})\.jpg$/.exec(path)?.[1]
}
