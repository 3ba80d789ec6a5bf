import { ApiError, callWithHeaders, messageOf } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import type { FormOutcome } from '#client/ui/forms/formik-form.tsx'
import { fileNameIn, saveFile } from '#client/ui/save-file.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { QueryOf } from '#contract/routes'
import { MINUTE_MS } from '#rules/constants'

/** A year of activity is slow to download on a slow network. */
const STATEMENT_TIMEOUT_MS = 2 * MINUTE_MS

/** Downloads the ledger of a period as a CSV file. */
export async function downloadStatement(
  period: QueryOf<'GET /api/wallet/statement'>,
): Promise<FormOutcome> {
  try {
    const { answer, headers } = await callWithHeaders('GET /api/wallet/statement', {
      query: period,
      timeoutMs: STATEMENT_TIMEOUT_MS,
    })
    const name = fileNameIn(headers) ?? 'tesp-statement.csv'
    // Reading the answer as text drops the mark by which Excel recognises UTF-8.
    saveFile(name, `\uFEFF${answer}`, 'text/csv')
    toast({ title: i18n.t('wallet:statement.done'), description: name })
    return { done: true }
  } catch (error) {
    const fields = error instanceof ApiError ? error.answer?.fields : undefined
    if (fields) return { done: false, fields }
    const description = messageOf(error, i18n.t('noAnswer'))
    toast({ variant: 'destructive', title: i18n.t('wallet:statement.failed'), description })
    return { done: false }
  }
}
