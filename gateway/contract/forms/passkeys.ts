import { array, boolean, object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { PASSKEY_NAME_MAX } from '#rules/constants'
import { factorCode, required, rowId } from './fields.ts'
import { confirmBody } from './password-confirmed.ts'

const PASSKEY_UNREADABLE = API_TEXTS.passkeyUnreadable

/** Bytes in base64url. */
const base64url = (max: number) =>
  required(max, PASSKEY_UNREADABLE).matches(/^[\w-]+$/, PASSKEY_UNREADABLE)

/** The WebAuthn specification limits the id of a credential to 1,023 bytes. */
const credentialId = base64url(1_364)

/** What a browser signs: type, challenge, origin. */
const clientDataJSON = base64url(4_000)

const passkeyName = string()
  .required(API_TEXTS.passkeyNameMissing)
  .max(PASSKEY_NAME_MAX, API_TEXTS.passkeyNameLong)
  .matches(/\S/, API_TEXTS.passkeyNameMissing)

/** Body of POST /api/user/passkeys/options: with a code while one-time codes are on. */
export const passkeyOptionsBody = confirmBody.shape({
  code: string().max(32, API_TEXTS.factorCodeInvalid),
})

/** The name of a new passkey, and the password that adds it. */
export const addPasskeyForm = confirmBody.shape({ name: passkeyName })

/** The same while one-time codes are on. */
export const addPasskeyWithCodeForm = addPasskeyForm.shape({ code: factorCode })

/** Body of POST /api/user/passkeys: a name and the new credential (`PublicKeyCredential.toJSON`). */
export const addPasskeyBody = object({
  name: passkeyName,
  id: credentialId,
  clientDataJSON,
  attestationObject: base64url(40_000),
  transports: array(required(20, PASSKEY_UNREADABLE)).max(10, PASSKEY_UNREADABLE),
}).noUnknown()

const passkeyId = rowId(API_TEXTS.passkeyUnknown)

/** Body of POST /api/user/passkeys/rename. */
export const renamePasskeyBody = object({ passkeyId, name: passkeyName }).noUnknown()

/** Body of POST /api/user/passkeys/remove. */
export const removePasskeyBody = confirmBody.shape({ passkeyId })

/** Body of POST /api/passkey/login: the signature of a passkey (`PublicKeyCredential.toJSON`). */
export const passkeyLoginBody = object({
  id: credentialId,
  clientDataJSON,
  authenticatorData: base64url(4_000),
  signature: base64url(8_000),
  rememberMe: boolean(),
}).noUnknown()
