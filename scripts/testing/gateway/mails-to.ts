import { newestMails, type StoredMail } from '#db/mails'
import type { ServedProduct } from './product.ts'

/** The mails to an e-mail address, newest first. */
export async function mailsTo(
  { db, config }: ServedProduct,
  email: string | undefined,
): Promise<StoredMail[]> {
  const mails = await newestMails(db, config.dataKey, 300)
  return mails.filter(({ to }) => to === email)
}

/** The subjects of the mails to an e-mail address, newest first. */
export async function subjectsTo(
  product: ServedProduct,
  email: string | undefined,
): Promise<string[]> {
  return (await mailsTo(product, email)).map(({ subject }) => subject)
}
