export const people = {
  "people.setup": "Set up Parley",
  "people.setup.text":
    "You become the owner of the first workspace. Everybody else is invited later.",
  "people.setup.code": "Set-up code",
  "people.setup.code.hint":
    "The server prints it when it starts. “parley set-up-link” prints it too.",
  "people.setup.wrongCode":
    "The set-up code is not right, or Parley was set up meanwhile. Copy the code from the server’s output.",
  "people.workspaceName": "Workspace name",
  "people.yourName": "Your name",
  "people.email": "Email",
  "people.password": "Password",
  "people.password.hint": "10 characters or more",
  "people.password.common": "This is one of the most used passwords. Choose another one.",
  "people.password.address": "This is your own address. Choose another password.",
  "people.password.short": "Use at least 10 characters.",
  "people.create": "Create workspace",
  "people.ended": "Your session has ended. Sign in again to go on where you were.",
  "people.signIn": "Sign in",
  "people.forgot": "Forgot your password?",
  "people.forgot.text":
    "Type your address. The owners and admins of your workspace then see that you need a link to choose a new password.",
  "people.forgot.asked":
    "If {email} has an account here, the owners and admins of its workspace see now that you need a link. One of them makes it under Settings, Team, and gives it to you. It works for one hour.",
  "people.forgot.sole":
    "If you are the only owner, whoever runs this server can set a new password (“parley user list” shows the ids):",
  "people.backToSignIn": "Back to sign-in",
  "people.choosePassword": "Choose your password",
  "people.newPassword": "New password",
  "people.savePassword": "Save password",
  "people.passwordSaved": "Password saved",
  "people.passwordSaved.text": "Sign in with it. Browsers that were signed in have to do so again.",
  "people.join": "Join {workspace}",
  "people.joinAny": "Join a workspace",
  "people.join.text": "You were invited as {email}.",
  "people.join.known":
    "This address signs in to Parley already, with another password. Enter that one to join with it.",
  "people.join.password":
    "10 characters or more. If you sign in to Parley with this address already, enter your present password.",
  "people.joinWorkspace": "Join workspace",
  "people.linkGone": "This link was used already or has run out. Ask for a new one.",
  "people.wrong": "Address or password is wrong.",
  "people.seats":
    "Every seat of your plan is taken. Disable a member or withdraw an invitation first.",
  "people.lastOwner": "A workspace needs an owner. Make somebody else owner first.",
  "people.isMember": "This address belongs to a member already.",

  "people.settings": "Settings",
} as const;
