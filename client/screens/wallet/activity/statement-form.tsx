import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { callWithHeaders } from '#client/data/api.ts'
import { demoClockAtom } from '#client/data/demo-clock.ts'
import { productNow } from '#client/data/product-clock.ts'
import { i18n } from '#client/language/language.ts'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { FormikForm, outcomeOf, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { fileNameIn, saveFile } from '#client/ui/save-file.ts'
import { toast } from '#client/ui/toasts/toast.ts'
import { statementForm } from '#contract/forms/statement'
import type { QueryOf } from '#contract/routes'
import { DAY_MS, MINUTE_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'

const PROPOSED_DAYS = 30

export function StatementForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('wallet')
  const isDemo = useAtomValue(demoClockAtom) !== null
  const now = productNow() ?? Date.now()
  const today = dayText(now)
  return (
    <FormikForm
      initialValues={{ from: dayText(now - (PROPOSED_DAYS - 1) * DAY_MS), to: today }}
      validationSchema={statementForm}
      onSubmit={downloadStatement}
      onDone={onDone}
    >
      <FormField name="from" type="date" label={t('statement.from')} max={today} required />
      <FormField name="to" type="date" label={t('statement.to')} max={today} required />
      {isDemo && <p className="text-xs text-amber">{t('statement.demoClock')}</p>}
      <SubmitButton busyLabel={t('preparing')}>{t('statement.download')}</SubmitButton>
    </FormikForm>
  )
}

/** A year of activity is slow to download on a slow network. */
const STATEMENT_TIMEOUT_MS = 2 * MINUTE_MS

const downloadStatement = (period: QueryOf<'GET /api/wallet/statement'>) =>
  outcomeOf(i18n.t('wallet:statement.failed'), async () => {
    const { answer, headers } = await callWithHeaders('GET /api/wallet/statement', {
      query: period,
      timeoutMs: STATEMENT_TIMEOUT_MS,
    })
    const name = fileNameIn(headers) ?? 'tesp-statement.csv'
    // Reading the answer as text drops the mark by which Excel recognises UTF-8.
    saveFile(name, `\uFEFF${answer}`, 'text/csv')
    toast({ title: i18n.t('wallet:statement.done'), description: name })
  })
