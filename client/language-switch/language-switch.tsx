import { useTranslation } from 'react-i18next'
import { currentLanguage } from '#client/language/language.ts'
import { classNames } from '#client/ui/class-names.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#rules/members/languages'
import { chooseLanguage } from './language-choice.ts'

/** A button for each language, for pages without a menu. */
export function LanguageSwitch() {
  const { t } = useTranslation('layout')
  return (
    <fieldset aria-label={t('language')} className="mb-3 flex flex-wrap justify-center gap-1">
      {LANGUAGES.map((language) => {
        const isCurrent = language === currentLanguage()
        return (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={isCurrent}
            onClick={() => void chooseLanguage(language)}
            className={classNames(
              'min-h-11 rounded-chip px-3 text-sm transition hover:text-ink',
              // The letters of another language may need a font file of their own, before the first paint.
              isCurrent ? 'font-medium text-ink' : 'font-system text-muted',
            )}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        )
      })}
    </fieldset>
  )
}
