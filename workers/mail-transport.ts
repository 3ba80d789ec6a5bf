import { createPrivateKey, type KeyObject } from 'node:crypto'
import fs from 'node:fs'
import type { Transporter } from 'nodemailer'
import type { Config } from '#runtime/config/config'
import { OperatorError } from '#runtime/operator-error'

type MailConfig = Pick<Config, 'mailFrom' | 'dkimSelector' | 'dkimKeyFile'>

/** The selector is part of the key's name in DNS (RFC 6376). */
type DkimKey = { domain: string; selector: string; key: KeyObject }

function privateKey(file: string): KeyObject {
  try {
    return createPrivateKey(fs.readFileSync(file))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`DKIM_KEY_FILE holds no private key in PEM: ${reason}`)
  }
}

/** The domain of a sender such as `TESP Network <no-reply@tesp.example>`. */
export const domainOfSender = (from: string): string =>
  from.replace(/^.*@/, '').replace(/>.*$/, '').trim().toLowerCase()

/** Signs for the domain of the sender. @throws {OperatorError} if the file holds no private RSA key */
export function dkimKey({ mailFrom, dkimSelector, dkimKeyFile }: MailConfig): DkimKey | undefined {
  if (!dkimKeyFile) return undefined
  const key = privateKey(dkimKeyFile)
  // Mail servers that know Ed25519 (RFC 8463) are few, and nodemailer signs with RSA only.
  if (key.asymmetricKeyType !== 'rsa') {
    throw new OperatorError('DKIM_KEY_FILE holds no RSA key: make one with openssl genrsa 2048')
  }
  return { domain: domainOfSender(mailFrom), selector: dkimSelector, key }
}

type Pool = { pool: true; maxConnections: number }
type Waits = { connectionTimeout: number; greetingTimeout: number; socketTimeout: number }

/** RFC 8058: the button of mail programs needs a signature over both headers of `List-Unsubscribe`. */
const SIGNED_HEADERS =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

/** Connects with the first mail. */
export async function openTransport(
  url: string,
  dkim: DkimKey | undefined,
  options: Waits & Partial<Pool>,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const signed = dkim && {
    domainName: dkim.domain,
    keySelector: dkim.selector,
    privateKey: dkim.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    headerFieldNames: SIGNED_HEADERS,
  }
  return createTransport({ url, ...options, ...(signed ? { dkim: signed } : {}) })
}
