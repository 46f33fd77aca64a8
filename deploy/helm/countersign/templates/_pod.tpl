{{- define "countersign.selector" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "countersign.labels" -}}
{{ include "countersign.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- /* What all pods have in common. 1000 is the user `node` of the image. No pod calls the Kubernetes API. */ -}}
{{- define "countersign.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "countersign.container" -}}
image: {{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- /* The root file system is read-only, so temporary files need a volume. */ -}}
{{- define "countersign.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.temporalTls.existingSecret }}
- { name: temporal-tls, mountPath: /temporal-tls, readOnly: true }
{{- end }}
{{- end -}}

{{- define "countersign.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with .Values.temporalTls.existingSecret }}
- name: temporal-tls
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end -}}

{{- /* Of the API and the workers only: jobs run before the other objects of a release exist. */ -}}
{{- define "countersign.policiesEnvironment" -}}
{{- if .Values.scoringPoliciesConfigMap }}
- { name: SCORING_POLICIES, value: /policies }
{{- end }}
{{- end -}}

{{- define "countersign.policiesMount" -}}
{{- if .Values.scoringPoliciesConfigMap }}
- { name: policies, mountPath: /policies, readOnly: true }
{{- end }}
{{- end -}}

{{- define "countersign.policiesVolume" -}}
{{- with .Values.scoringPoliciesConfigMap }}
- name: policies
  configMap: { name: {{ . }} }
{{- end }}
{{- end -}}

{{- define "countersign.messagingEnvironment" -}}
{{- if .Values.messagingSecret }}
- { name: MESSAGING, value: /messaging/messaging.json }
{{- end }}
{{- end -}}

{{- define "countersign.messagingMount" -}}
{{- if .Values.messagingSecret }}
- { name: messaging, mountPath: /messaging, readOnly: true }
{{- end }}
{{- end -}}

{{- define "countersign.messagingVolume" -}}
{{- with .Values.messagingSecret }}
- name: messaging
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end -}}

{{- define "countersign.metricsEnvironment" -}}
{{- if .Values.metrics.enabled }}
- { name: OTEL_METRICS_EXPORTER, value: prometheus }
- { name: OTEL_EXPORTER_PROMETHEUS_HOST, value: 0.0.0.0 }
- { name: OTEL_EXPORTER_PROMETHEUS_PORT, value: '9464' }
{{- end }}
{{- end -}}

{{- /* Spreads the pods of one release over nodes and zones, but never prevents their start. */ -}}
{{- define "countersign.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{ include "countersign.selector" $ | nindent 6 }}
{{- end }}
{{- end -}}
