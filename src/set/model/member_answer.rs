//! What a class answers for a member, and the errors for members that it does not have.

use crate::object_model::ModelError;
use crate::object_model::class::Class;
use crate::set::tables::plain_members::{self, PlainMember};

/// A class's answer; `None` leaves the member to the stored ones.
pub(super) type MemberAnswer<T> = Option<Result<T, ModelError>>;

/// Whether a member without behaviour of its own is one that is stored.
pub(super) fn require_stored(class: &Class, member: &str) -> Result<(), ModelError> {
    let name = format_args!("{}.{member}", class.name);
    match plain_members::plain_member(&class.name, member) {
        Some(PlainMember::Stored(_)) => Ok(()),
        Some(PlainMember::NeedsLive(why)) => Err(ModelError::Unable(format!("{name} needs a running Live: {why}"))),
        None => Err(ModelError::Unable(format!("{name} is not available on the Set inside the device"))),
    }
}

pub(super) fn unknown_member(class: &Class, member: &str) -> ModelError {
    ModelError::UnknownMember { class: class.name.clone(), member: member.to_owned() }
}
