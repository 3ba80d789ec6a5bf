import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Length of the line in characters, and its refresh interval (Specification §9). */
const LENGTH = 48
const REFRESH_MS = 3_000
/** Default number of digits (Specification §9). */
const HEX_LENGTH = 64

export function randomHex(length = HEX_LENGTH): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => (byte % 16).toString(16))
    .join('')
    .toUpperCase()
}

export function RandomLine({ active }: { active: boolean | undefined }) {
  const { t } = useTranslation('mine')
  return (
    <div className="flex min-h-10 items-center justify-center overflow-hidden rounded-control border border-line bg-panel px-3 py-0.75">
      {active && <Characters />}
      {active === false && (
        <p className="text-center text-xs text-balance text-muted">{t('visualization')}</p>
      )}
    </div>
  )
}

function Characters() {
  const [text, setText] = useState(() => randomHex(LENGTH))
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setText(randomHex(LENGTH))
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div aria-hidden="true" className="random-line w-full overflow-hidden text-center">
      <span className="inline-block font-mono text-xs whitespace-nowrap text-mint">{text}</span>
    </div>
  )
}
