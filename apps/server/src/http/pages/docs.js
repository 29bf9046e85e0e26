// The six switches after which the reference asks no other host for anything and offers no service of its maker.
Scalar.createApiReference("#app", {
  url: "/api/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
});
