if (typeof Scalar === "undefined") {
  // The script before this one did not come.
  document.getElementById("loading").hidden = true;
  document.getElementById("failed").hidden = false;
} else {
  document.getElementById("start").remove();
  // The six switches after which the reference asks no other host for anything and offers no service of its maker.
  Scalar.createApiReference("#app", {
    url: new URL("openapi.json", location.href).href,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}
