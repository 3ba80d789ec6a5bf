import { useEffect, useRef } from 'react'
import { focusMain } from '#client/layout/main-region.tsx'
import { NETWORK_NAME } from '#rules/constants'

/** Sets the document title of each route and moves the focus to its content, except on load. */
export function useRouteChange(path: string, title: string): void {
  const shownPath = useRef(path)
  useEffect(() => {
    document.title = title ? `${title} · ${NETWORK_NAME}` : NETWORK_NAME
  }, [title])
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    window.scrollTo(0, 0)
    focusMain()
  }, [path])
}
