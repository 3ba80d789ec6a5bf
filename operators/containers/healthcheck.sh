# Whether the role of this container answers /readyz with 200. Docker runs this every few seconds in
# each container; starting Node for it would take more CPU time than an idle role.
set -e
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-3000}"
printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
