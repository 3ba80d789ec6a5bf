const IP_ADDRESS = /^[\d.]+$|^\[/

/** Whether the host name of a URL is an IP address; browsers tie passkeys to a domain. */
export const isIpAddress = (hostname: string): boolean => IP_ADDRESS.test(hostname)
