{{- define "tesp.labels" -}}
app.kubernetes.io/name: tesp-network
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Arguments: (list $ "gateway") */ -}}
{{- define "tesp.selector" -}}
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- /* Of every pod: the image needs no rights. */ -}}
{{- define "tesp.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - { name: tmp, emptyDir: {} }
  {{- with .Values.filesSecretName }}
  - { name: files, secret: { secretName: {{ . }} } }
  {{- end }}
{{- end }}

{{- /* Of every container: the image writes nothing. */ -}}
{{- define "tesp.container" -}}
image: {{ required "image.repository must be set, such as ghcr.io/<owner>/<repository>" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.filesSecretName }}
  - { name: files, mountPath: /etc/tesp, readOnly: true }
  {{- end }}
{{- end }}

{{- /*
Environment of every container. The secret comes first, so that a setting of the values wins.
*/ -}}
{{- define "tesp.environment" -}}
envFrom:
  - secretRef: { name: {{ .Values.secretName }} }
env:
  - { name: NODE_ENV, value: production }
  {{- if not (hasKey .Values.settings "HOST") }}
  - { name: HOST, value: "0.0.0.0" }
  {{- end }}
  - { name: PUBLIC_ORIGIN, value: {{ required "origin must be set to what members open, such as https://tesp.example" .Values.origin | quote }} }
  {{- if .Values.trial.enabled }}
  - name: POSTGRES_PASSWORD
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName }}, key: POSTGRES_PASSWORD } }
  - name: REDIS_PASSWORD
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName }}, key: REDIS_PASSWORD } }
  - { name: DATABASE_URL, value: "postgres://tesp:$(POSTGRES_PASSWORD)@{{ .Release.Name }}-postgres:5432/tesp" }
  - { name: REDIS_URL, value: "redis://:$(REDIS_PASSWORD)@{{ .Release.Name }}-redis:6379" }
  {{- end }}
  {{- /* Of every pod: a command in another one prints the link of an invitation. */}}
  {{- with .Values.console.origin }}
  - { name: CONSOLE_ORIGIN, value: {{ . | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
{{- end }}

{{- /* Nodes that may run the pod of a part. Argument: the values of the part */ -}}
{{- define "tesp.nodes" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Pods of a role are spread over nodes. Arguments: (list $ "gateway") */ -}}
{{- define "tesp.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "tesp.selector" . | nindent 8 }}
    # Not counting the pods that an update replaces, or both new ones may share a node.
    matchLabelKeys: [pod-template-hash]
{{- end }}
