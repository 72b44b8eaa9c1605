{{- define "florin.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "florin.labels" -}}
app.kubernetes.io/name: florin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "florin.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}
{{- end }}

{{/* Settings of a process: the mode, plain ones, and the file of each secret. */}}
{{- define "florin.env" -}}
- { name: MODE, value: {{ .mode }} }
- { name: HOST, value: 0.0.0.0 }
- { name: PORT, value: "3000" }
- { name: DATA_DIR, value: /tmp }
{{- range $name, $value := .root.Values.settings }}
- { name: {{ $name }}, value: {{ required (printf "settings.%s has to be said" $name) $value | quote }} }
{{- end }}
{{- range $name, $key := .secrets }}
- { name: {{ $name }}_FILE, value: /run/secrets/florin/{{ $key }} }
{{- end }}
{{- if .root.Values.railsConfigMap }}
- { name: RAILS_CONFIG, value: /etc/florin/rails.json }
{{- end }}
{{- end }}

{{- define "florin.mounts" -}}
- { name: secrets, mountPath: /run/secrets/florin, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if .Values.railsConfigMap }}
- { name: rails, mountPath: /etc/florin, readOnly: true }
{{- end }}
{{- end }}

{{- define "florin.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .root.Values.secret.name }}
    defaultMode: 0440
    items:
      {{- range $name, $key := .secrets }}
      - { key: {{ $key }}, path: {{ $key }} }
      {{- end }}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- if .root.Values.railsConfigMap }}
- name: rails
  configMap: { name: {{ .root.Values.railsConfigMap }} }
{{- end }}
{{- end }}

{{- define "florin.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "florin.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "florin.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 1
{{- end }}

{{/* Replicas of one kind stand on different machines where there are several. */}}
{{- define "florin.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      app.kubernetes.io/instance: {{ .root.Release.Name }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
