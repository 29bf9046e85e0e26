if (typeof Scalar === "undefined") {
  // The script before this one did not come.
  document.getElementById("loading").hidden = true;
  document.getElementById("failed").hidden = false;
} else {
  document.getElementById("start").remove();
  // The first six are the switches after which the reference asks no other host for anything and offers no service of
  // its maker.
  Scalar.createApiReference("#app", {
    url: new URL("openapi.json", location.href).href,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    // Every route takes the key: who tries one is asked for it, and need not choose first.
    authentication: { preferredSecurityScheme: "apiKey" },
    // On a phone a sample is read whole, without pushing it sideways.
    // The theme's own greys and colours of methods are too pale to be read well (WCAG 2, AA: 4.5 to 1).
    customCss: `
      .light-mode { --scalar-color-2: #4d5b53; --scalar-color-3: #5c6963; --scalar-color-green: #0b6b4a;
        --scalar-color-blue: #0b5cad; --scalar-color-yellow: #8a5a00; --scalar-color-orange: #9a4a00;
        --scalar-color-red: #b3261e; }
      .dark-mode { --scalar-color-2: #b3beb8; --scalar-color-3: #9aa6a0; --scalar-color-red: #ff8a80; }
      @media (max-width: 600px) {
        .scalar-code-block :is(pre, pre *) { width: auto !important; white-space: pre-wrap !important; overflow-wrap: anywhere !important; }
        .scalar-code-block .line::before { display: none !important; }
      }`,
  });
}
