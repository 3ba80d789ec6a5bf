import { useTranslation } from 'react-i18next'

/** Says to screen readers what the skeletons beside it show: that content loads. */
export function LoadingNote({ text }: { text?: string }) {
  const { t } = useTranslation()
  return (
    <span role="status" className="sr-only">
      {text ?? t('loading')}
    </span>
  )
}
