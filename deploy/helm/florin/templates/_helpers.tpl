{{- define "florin.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "florin.labels" -}}
app.kubernetes.io/name: florin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "florin.image" -}}
{{- $repository := required "image.repository has to be said: Florin is on no registry, push the image that the Dockerfile makes to one of yours" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag }}
{{- end -}}
{{- end }}

{{/* The secrets of a process by setting: those of its map and, where Prometheus reads the process, the token for that. */}}
{{- define "florin.secrets" -}}
{{- $secrets := deepCopy .secrets -}}
{{- if .root.Values.monitoring.enabled -}}
{{- $_ := set $secrets "METRICS_TOKEN" .root.Values.monitoring.tokenKey -}}
{{- end -}}
{{- toYaml $secrets -}}
{{- end }}

{{/* Annotations of a pod. The sums change when your Secret or ConfigMap does, so `helm upgrade` starts new processes then. */}}
{{- define "florin.podAnnotations" -}}
checksum/secret: {{ toJson (lookup "v1" "Secret" .Release.Namespace .Values.secret.name).data | sha256sum }}
{{- if .Values.railsConfigMap }}
checksum/rails: {{ toJson (lookup "v1" "ConfigMap" .Release.Namespace .Values.railsConfigMap).data | sha256sum }}
{{- end }}
{{- with .Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Where a pod may run, as whom it speaks to the cluster, and who lets it pull the image. */}}
{{- define "florin.placement" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
{{ toYaml . | indent 2 }}
{{- end }}
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
{{- range $name, $key := include "florin.secrets" . | fromYaml }}
- { name: {{ $name }}_FILE, value: /run/secrets/florin/{{ $key }} }
{{- end }}
{{- if .root.Values.railsConfigMap }}
- { name: RAILS_CONFIG, value: /etc/florin/rails.json }
{{- end }}
{{- if .root.Values.backup.claim }}
- { name: BACKUP_DIR, value: /backups }
{{- end }}
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "florin.mounts" -}}
- { name: secrets, mountPath: /run/secrets/florin, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if .Values.railsConfigMap }}
- { name: rails, mountPath: /etc/florin, readOnly: true }
{{- end }}
{{- if .Values.backup.claim }}
- { name: backups, mountPath: /backups, readOnly: true }
{{- end }}
{{- end }}

{{- define "florin.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .root.Values.secret.name }}
    defaultMode: 0440
    items:
      {{- range $name, $key := include "florin.secrets" . | fromYaml }}
      - { key: {{ $key }}, path: {{ $key }} }
      {{- end }}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- if .root.Values.railsConfigMap }}
- name: rails
  configMap: { name: {{ .root.Values.railsConfigMap }} }
{{- end }}
{{- if .root.Values.backup.claim }}
- name: backups
  persistentVolumeClaim: { claimName: {{ .root.Values.backup.claim }}, readOnly: true }
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
# A minute: all pods see the same database. If they left together at a blip, the ingress would answer in their place, with a 503 that
# has no Retry-After. Kubernetes takes a pod that ends out of the service by itself.
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 4
  timeoutSeconds: 3
  failureThreshold: 15
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
