import { useEffect, useRef } from 'react'
import { focusMain } from '#client/layout/main-region.tsx'
import { NETWORK_NAME } from '#rules/constants'

/** The document's title follows the route; so does the focus, except on the first one. */
export function useRouteChange(path: string, title: string): void {
  const shown = useRef(path)
  useEffect(() => {
    document.title = title ? `${title} · ${NETWORK_NAME}` : NETWORK_NAME
  }, [title])
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    window.scrollTo(0, 0)
    focusMain()
  }, [path])
}
