{{- /* All missing and contradictory values in one message. The schema rejects unknown values and wrong types. */ -}}
{{- define "countersign.check" -}}
{{- $errors := list -}}
{{- with .Values -}}
{{- if not .image.repository }}{{ $errors = append $errors "image.repository: set it to the repository of the image that you built (Dockerfile, target `service`)" }}{{ end -}}
{{- if not .image.tag }}{{ $errors = append $errors "image.tag: set it to the tag of the release" }}{{ end -}}
{{- if not .existingSecret }}{{ $errors = append $errors "existingSecret: create a secret with the keys in the README of the chart, and set this to its name" }}{{ end -}}
{{- $hasMessaging := or .messagingSecret .settings.MESSAGING -}}
{{- range $name := concat (list "PUBLIC_URL" "TEMPORAL_ADDRESS") (ternary (list) (list "TWILIO_SMS_FROM" "TWILIO_WHATSAPP_FROM") (not (not $hasMessaging))) -}}
{{- if not (index $.Values.settings $name) }}{{ $errors = append $errors (printf "settings.%s: is required. docs/configuration.md says what it means" $name) }}{{ end -}}
{{- end -}}
{{- if not .settings.IMAGES_S3_BUCKET }}{{ $errors = append $errors "settings.IMAGES_S3_BUCKET: is required, because API and workers are different pods and share no volume" }}{{ end -}}
{{- if and .messagingSecret .settings.MESSAGING }}{{ $errors = append $errors "messagingSecret and settings.MESSAGING: set only one. Both say which providers send messages" }}{{ end -}}
{{- if and .ingress.enabled (not .settings.TRUST_PROXY) }}{{ $errors = append $errors "settings.TRUST_PROXY: is required with ingress.enabled, such as \"1\". Without it, all callers share one rate limit" }}{{ end -}}
{{- if and .worker.autoscaling.enabled .worker.keda.enabled }}{{ $errors = append $errors "worker.autoscaling.enabled and worker.keda.enabled: enable only one. KEDA creates its own autoscaler" }}{{ end -}}
{{- if and .worker.keda.enabled (not .settings.WORKER_BUILD_ID) }}{{ $errors = append $errors "settings.WORKER_BUILD_ID: is required with worker.keda.enabled, because KEDA reads the backlog of one version. Use the image tag" }}{{ end -}}
{{- if and .metrics.podMonitor.enabled (not .metrics.enabled) }}{{ $errors = append $errors "metrics.podMonitor.enabled: needs metrics.enabled" }}{{ end -}}
{{- end -}}
{{- if $errors }}{{ fail (printf "The values are not complete:\n  %s" (join "\n  " $errors)) }}{{ end -}}
{{- end -}}

{{- /* Secrets that every process needs, and those that may be missing in the secret. */ -}}
{{- define "countersign.secrets" -}}
{{- $providers := "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, SMTP_URL" -}}
{{- $hasMessaging := or .Values.messagingSecret .Values.settings.MESSAGING -}}
required: [DATABASE_URL, SERVICE_KEY, {{ if not $hasMessaging }}{{ $providers }}, {{ end }}IMAGES_S3_ACCESS_KEY_ID, IMAGES_S3_SECRET_ACCESS_KEY]
optional: [{{ if $hasMessaging }}{{ $providers }}, {{ end }}DATABASE_DIRECT_URL, OTHER_SERVICE_KEYS, TEMPORAL_API_KEY, BUREAU_TOKEN, FACE_VERIFIER_TOKEN, OTEL_EXPORTER_OTLP_HEADERS]
{{- end -}}

{{- /* The environment of all containers. Hooks run before the other objects exist, so it is in no ConfigMap. */ -}}
{{- define "countersign.environment" -}}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- if .Values.temporalTls.existingSecret }}
- { name: TEMPORAL_TLS, value: 'true' }
- { name: TEMPORAL_TLS_CA, value: /temporal-tls/ca.crt }
{{- if .Values.temporalTls.clientCertificate }}
- { name: TEMPORAL_TLS_CERT, value: /temporal-tls/tls.crt }
- { name: TEMPORAL_TLS_KEY, value: /temporal-tls/tls.key }
{{- end }}
{{- end }}
{{- $secrets := fromYaml (include "countersign.secrets" .) }}
{{- range $name := concat $secrets.required $secrets.optional }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $.Values.existingSecret }}, key: {{ $name }}, optional: {{ has $name $secrets.optional }} }
{{- end }}
{{- end -}}
