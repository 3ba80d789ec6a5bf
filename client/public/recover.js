// Runs after the entry of the page, or its failure: while two releases serve, a gateway may lack the entry of the other's page.
{
  const KEY = 'recover-reloads'
  const MOST = 6
  try {
    const reloads = Number(sessionStorage.getItem(KEY))
    const reload = () => {
      sessionStorage.setItem(KEY, reloads + 1)
      window.location.reload()
    }
    if ('runs' in document.getElementById('root').dataset) sessionStorage.removeItem(KEY)
    else if (!navigator.onLine) window.addEventListener('online', reload, { once: true })
    else if (reloads < MOST) setTimeout(reload, 2_000 * 2 ** reloads)
  } catch {
    // Without storage nothing would end the reloads.
  }
}
